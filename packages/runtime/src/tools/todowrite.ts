// Replaces the session's todo list. The list is stored in the log of this call.
import { phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../tool/define-tool.ts';
import { type Todo, TodoList, tellTodos, todoList, todoPriorities, todoStatuses } from './todo-list.ts';

const Item = () =>
  z.strictObject({
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    content: z.string().check(z.regex(/\S/), z.maxLength(2000)),
    status: z._default(z.enum(todoStatuses), 'pending'),
    priority: z._default(z.enum(todoPriorities), 'medium'),
  });
const Input = () => z.strictObject({ todos: z.array(Item()).check(z.maxLength(200)) });

type TodoInput = z.infer<ReturnType<typeof Input>>;

export const todowriteTool = defineTool<TodoInput, TodoList, Todo[]>({
  name: 'todowrite',
  kind: 'think',
  summary: 'Replace the list of things to do; always give the whole list, at most one of it in_progress.',
  input: Input,
  output: TodoList,

  plan({ todos }) {
    const items = withIds(todos);
    check(items);
    const plan = {
      summary: phrase('plan.writeTodos', {
        done: items.filter(({ status }) => status === 'completed').length,
        total: items.length,
      }),
      risk: 'low' as const,
      riskReason: phrase('risk.onlyNotes'),
      touches: [],
      notes: [],
      basis: [],
    };
    return { plan, intents: [], prepared: items };
  },

  run: (_input, items, { session }) => ({ data: todoList(session, items), effects: [] }),

  tell: tellTodos,
});

/** Numbers items without an id by the lowest unused numbers. */
function withIds(todos: TodoInput['todos']): Todo[] {
  const used = new Set(todos.flatMap(({ id }) => id ?? []));
  let next = 1;
  return todos.map(({ id, ...rest }) => {
    if (id !== undefined) return { id, ...rest };
    while (used.has(String(next))) next++;
    return { id: String(next++), ...rest };
  });
}

// The numbers are those that Kode gives these faults.
function check(items: readonly Todo[]): void {
  const ids = items.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `Two todos have the id ${JSON.stringify(twice)}. Give each its own.`,
      { field: 'todos', error_code: 1 },
    );
  const underWay = items.filter(({ status }) => status === 'in_progress').length;
  if (underWay > 1)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${underWay} todos are in_progress; at most one may be. Set the others to pending or completed.`,
      { field: 'todos', error_code: 2 },
    );
}
