// Separates reasoning that a server left in the text, as it arrives: `<think>…</think>` at the start, or the channels of gpt-oss.
export type SplitText = { reasoning: string; text: string };

export type ThinkSplitter = {
  push(delta: string): SplitText;
  /** What was held back to the end. */
  end(): SplitText;
};

const pairs: readonly { open: string; close: string }[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
];

/** Written by gpt-oss before its answer. */
const preambles = ['<|start|>assistant<|channel|>final<|message|>', '<|channel|>final<|message|>'];

const openings = [...pairs.map(({ open }) => open), ...preambles];

const nothing: SplitText = { reasoning: '', text: '' };

export function thinkSplitter(): ThinkSplitter {
  let state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  let close = '';
  let held = '';

  function start(): SplitText {
    const begun = held.trimStart();
    const pair = pairs.find(({ open }) => begun.startsWith(open));
    if (pair === undefined) return mayBecome(begun, openings) ? nothing : after(held);
    state = 'thinking';
    ({ close } = pair);
    held = begun.slice(pair.open.length);
    return thinking();
  }

  function thinking(): SplitText {
    const at = held.indexOf(close);
    if (at === -1) {
      const reasoning = held.slice(0, held.length - tailOf(held, close));
      held = held.slice(reasoning.length);
      return { reasoning, text: '' };
    }
    const reasoning = held.slice(0, at);
    state = 'after';
    held = held.slice(at + close.length);
    return { reasoning, text: blank().text };
  }

  /** Blank lines and marks between reasoning and answer belong to neither. */
  function blank(): SplitText {
    held = held.trimStart();
    return held === '' || mayBecome(held, preambles) ? nothing : after(held);
  }

  function after(rest: string): SplitText {
    const mark = preambles.find((preamble) => rest.trimStart().startsWith(preamble));
    state = 'text';
    held = '';
    return { reasoning: '', text: mark === undefined ? rest : rest.trimStart().slice(mark.length) };
  }

  return {
    push(delta) {
      if (state === 'text') return { reasoning: '', text: delta };
      held += delta;
      if (state === 'start') return start();
      return state === 'thinking' ? thinking() : blank();
    },
    end() {
      const rest = held;
      held = '';
      return state === 'thinking' ? { reasoning: rest, text: '' } : { reasoning: '', text: rest };
    },
  };
}

/** Whether more text could complete one of the marks. */
function mayBecome(text: string, marks: readonly string[]): boolean {
  return marks.some((mark) => mark !== text && mark.startsWith(text));
}

/** How many characters at the end of a text may be the beginning of a mark. */
function tailOf(text: string, mark: string): number {
  for (let size = Math.min(text.length, mark.length - 1); size > 0; size--)
    if (text.endsWith(mark.slice(0, size))) return size;
  return 0;
}

/** Some templates put the opening mark into the prompt, so that the text has only the closing one. */
export function splitAtLoneClose(text: string): SplitText | undefined {
  const at = text.indexOf('</think>');
  const before = text.slice(0, at);
  const isQuoted = before.split('`').length % 2 === 0;
  if (at === -1 || isQuoted || before.includes('<think>')) return undefined;
  return { reasoning: before, text: text.slice(at + '</think>'.length).trimStart() };
}
