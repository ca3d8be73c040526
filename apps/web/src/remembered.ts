// A value in the browser's storage. Without storage, the default is returned each time.
export type Remembered<Value> = { read(): Value; write(value: Value): void };

const prefix = 'codelab.';

/** Another version may have stored another shape, which `isFit` refuses. */
export function remembered<Value>(
  name: string,
  initial: Value,
  isFit: (value: unknown) => boolean = (value) => typeof value === typeof initial,
): Remembered<Value> {
  return {
    read() {
      try {
        const stored: unknown = JSON.parse(localStorage.getItem(prefix + name) ?? 'null');
        return stored !== null && isFit(stored) ? (stored as Value) : initial;
      } catch {
        return initial;
      }
    },
    write(value) {
      try {
        localStorage.setItem(prefix + name, JSON.stringify(value));
      } catch {
        // Full or forbidden: it is only comfort.
      }
    },
  };
}
