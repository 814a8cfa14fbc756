import tseslint from "typescript-eslint";

export default tseslint.config(
    { ignores: ["dist/**", "node_modules/**", "**/*.mjs", "**/*.cjs", "src/protocol.ts"] },
    tseslint.configs.strictTypeChecked,
    tseslint.configs.stylisticTypeChecked,
    {
        languageOptions: {
            parserOptions: { projectService: { allowDefaultProject: [] }, tsconfigRootDir: import.meta.dirname },
        },
        rules: {
            "max-lines": ["error", 400],
            "max-lines-per-function": ["error", 60],
            complexity: ["error", 12],
            eqeqeq: "error",
            "no-console": "error",
            "@typescript-eslint/no-explicit-any": "error",
            "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "as" }],
            "@typescript-eslint/consistent-type-imports": "error",
            "@typescript-eslint/explicit-module-boundary-types": "error",
            "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
            "no-restricted-syntax": [
                "error",
                { selector: "TSAsExpression > TSAsExpression > TSUnknownKeyword", message: "Parse it, then trust it." },
                {
                    selector:
                        "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|supportHtml)$/]",
                    message: "Make elements with src/webview/drawing.ts: no text is ever parsed as markup.",
                },
                {
                    selector: "MemberExpression[property.name=/^show(Information|Warning|Error)Message$/]",
                    message: "Say it with src/tell.ts, which makes links of others' words harmless.",
                },
            ],
        },
    },
    { files: ["src/tell.ts"], rules: { "no-restricted-syntax": "off" } },
    {
        files: ["test/**"],
        rules: {
            "max-lines-per-function": "off",
            "no-console": "off",
            "@typescript-eslint/no-floating-promises": [
                "error",
                {
                    allowForKnownSafeCalls: [
                        { from: "package", name: ["test", "it", "describe"], package: "node:test" },
                    ],
                },
            ],
        },
    },
);
