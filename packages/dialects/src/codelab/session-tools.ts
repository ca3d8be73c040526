// Tools about the session itself: undo, questions to a human, todos, skills, sub-agents.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { sameArguments } from '../shared/spelling.ts';
import { present } from '../shared/values.ts';

const somePaths = () => z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000)));

export const undoTools: readonly WireTool[] = [
  {
    name: 'undo',
    tool: 'undo',
    input: () =>
      z.strictObject({
        session: z.optional(z.string()),
        call_id: z.optional(z.string()),
        turn: z.optional(z.int().check(z.positive())),
        paths: somePaths(),
        force: z.optional(z.boolean()),
      }),
    toCore: sameArguments,
    toWire: undoResult,
    fromWire: undoneFromWire,
  },
  {
    name: 'redo',
    tool: 'redo',
    input: () => z.strictObject({ session: z.optional(z.string()), force: z.optional(z.boolean()) }),
    toCore: sameArguments,
    toWire: undoResult,
    fromWire: undoneFromWire,
  },
  {
    name: 'restore_held_back',
    tool: 'restore_held_back',
    input: () => z.strictObject({ call_id: z.string(), session: z.optional(z.string()), paths: somePaths() }),
    toCore: sameArguments,
    toWire: ({ call_id, restored }) => ({ call_id, restored }),
  },
];

function undoResult({ taken_back, refused }: Json): Json {
  return { taken_back, refused };
}

function undoneFromWire(wireResult: Json): Json {
  return { taken_back: [], refused: [], steps: [], ...wireResult };
}

export const promptUserRow: WireTool = {
  name: 'prompt_user',
  tool: 'prompt_user',
  input: () => z.strictObject({ message: z.string(), actions: z.array(z.string()) }),
  toCore: (args) => args,
  toWire: (data) => ({ action: data.action }),
};

const todoResult = ({ session_id, items, count, in_progress }: Json): Json => ({
  session_id,
  items,
  count,
  in_progress,
});

// The tool checks which states are valid.
const todo = () => {
  const text = () => z.optional(z.string());
  return z.strictObject({ content: z.string(), status: text(), priority: text(), id: text() });
};

/** Seed 003 has these too. */
export const noteTools: readonly WireTool[] = [
  {
    name: 'todoread',
    tool: 'todoread',
    input: () => z.strictObject({}),
    toCore: () => ({}),
    toWire: todoResult,
  },
  {
    name: 'todowrite',
    tool: 'todowrite',
    input: () => z.strictObject({ todos: z.array(todo()) }),
    toCore: (args) => args,
    toWire: todoResult,
  },
  {
    name: 'skill',
    tool: 'skill',
    input: () => z.strictObject({ action: z.string(), name: z.optional(z.string()) }),
    toCore: (args) => args,
    toWire: ({ items, count, problems, name, description, content, files }) =>
      present({ items, count, problems, name, description, content, files }),
  },
];

/** Gives work to a sub-agent; offered only where an agent is at work. */
export const taskRow: WireTool = {
  name: 'task',
  tool: 'task',
  input: () => z.strictObject({ agent: z.string(), objective: z.string() }),
  toCore: (args) => args,
  toWire: ({ ok, agent, summary }) => ({ ok, agent, summary }),
};
