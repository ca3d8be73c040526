// Reads the session's list of things to do.
import { phrase } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../tool/define-tool.ts';
import { latestTodos, TodoList, tellTodos, todoList } from './todo-list.ts';

const Input = () => z.strictObject({});

export const todoreadTool = defineTool<z.infer<ReturnType<typeof Input>>, TodoList, undefined>({
  name: 'todoread',
  kind: 'think',
  summary: 'Read the list of things to do in this session.',
  input: Input,
  output: TodoList,

  plan() {
    const plan = {
      summary: phrase('plan.readTodos'),
      risk: 'low' as const,
      riskReason: phrase('risk.onlyReads'),
      touches: [],
      notes: [],
      basis: [],
    };
    return { plan, intents: [], prepared: undefined };
  },

  async run(_input, _prepared, context) {
    return { data: todoList(context.session, await latestTodos(context)), effects: [] };
  },

  tell: tellTodos,
});
