// Where a number stands on an axis, and which numbers are written beside it.

/** Turns a number into a place in pixels. */
export type Scale = (value: number) => number;

/** A straight scale from a stretch of numbers to a stretch of pixels. */
export function scale(from: number, to: number, start: number, end: number): Scale {
    const span = to - from;
    return (value) => (span === 0 ? start : start + ((value - from) / span) * (end - start));
}

/** Round numbers from 0 on, about so many, the last one not below the greatest number there is. */
export function ticks(most: number, about: number): number[] {
    const step = roundedUp(Math.max(most, Number.MIN_VALUE) / Math.max(about, 1));
    return multiples(step, most);
}

/** The same for seconds, which are counted by sixties. */
export function timeTicks(most: number, about: number): number[] {
    const wanted = Math.max(most, 0.01) / Math.max(about, 1);
    if (wanted <= 1) return ticks(Math.max(most, 0.01), about);
    const step = STEPS.find((each) => each >= wanted) ?? roundedUp(wanted / 3600) * 3600;
    return multiples(step, most);
}

/** From so many seconds on, an axis counts minutes. */
export const MINUTES = 120;

/** A number of seconds as an axis has it: "45", or "1:30" where minutes count. */
export function clock(seconds: number, most: number): string {
    if (most < MINUTES) return String(Number(seconds.toFixed(2)));
    const whole = Math.round(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

/** The least of 1, 2, 5, 10, 20, 50 … (and 0.5, 0.2 …) that is not below a number. */
function roundedUp(value: number): number {
    const power = 10 ** Math.floor(Math.log10(value));
    const digits = value / power;
    const round = [1, 2, 5].find((each) => each >= digits - 1e-9) ?? 10;
    return round * power;
}

function multiples(step: number, most: number): number[] {
    const count = Math.max(1, Math.ceil(most / step - 1e-9));
    return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
