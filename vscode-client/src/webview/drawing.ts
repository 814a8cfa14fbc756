// Elements of the page, made in one expression. No markup is ever parsed, so no text can become any.

type Attributes = Readonly<Record<string, string | number | undefined>>;
type Child = Node | string;

/** Makes an element of a picture. */
export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Makes an element of the text. */
export function html<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    return filled(document.createElement(tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
    for (const [name, value] of Object.entries(attributes)) {
        if (value !== undefined) element.setAttribute(name, String(value));
    }
    element.append(...children);
    return element;
}
