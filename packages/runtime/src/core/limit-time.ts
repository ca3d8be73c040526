// A signal for one piece of work: it aborts with another one or when the time is up, and holds nothing once the work is over.
const longestMs = 2 ** 31 - 1;

type Limited = Disposable & {
  /** Made when somebody asks for it: the shortest calls never do. */
  readonly signal: AbortSignal;
};

export function limitTime(outer: AbortSignal, mostMs: number | undefined): Limited {
  const began = performance.now();
  let stop: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  const passOn = (): void => stop?.abort(outer.reason);
  function start(): AbortController {
    stop = new AbortController();
    if (outer.aborted) passOn();
    else outer.addEventListener('abort', passOn, { once: true });
    if (mostMs === undefined) return stop;
    const left = Math.min(longestMs, Math.max(0, mostMs - (performance.now() - began)));
    timer = setTimeout(end, left, stop).unref();
    return stop;
  }
  return {
    get signal() {
      return (stop ?? start()).signal;
    },
    [Symbol.dispose]() {
      if (stop === undefined) return;
      clearTimeout(timer);
      outer.removeEventListener('abort', passOn);
    },
  };
}

function end(stop: AbortController): void {
  stop.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
}
