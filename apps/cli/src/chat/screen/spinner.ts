// Something that turns while there is work, and stands still, without a timer, while there is none.

export type Spinner = { readonly sign: string; start(): void; stop(): void };

const signs = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const everyMs = 120;

export function createSpinner(onTick: () => void): Spinner {
  let at = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    get sign() {
      return signs[at % signs.length] ?? '';
    },
    start() {
      timer ??= setInterval(() => {
        at++;
        onTick();
      }, everyMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
