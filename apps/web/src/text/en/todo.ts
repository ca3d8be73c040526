// Words of the todo panel.
import { plural } from '../plural.ts';

export const todo = {
  name: 'Todo',
  none: 'No todo list yet',
  noneHint: 'For work of several steps the agent writes its plan here and ticks off what is done.',
  list: 'Todo list of the agent',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  left: (count: number) => plural('en', count, { one: '# left', other: '# left' }),
  status: { pending: 'To do', in_progress: 'In progress', completed: 'Done', cancelled: 'Dropped' },
  priority: { high: 'High', medium: 'Medium', low: 'Low' },
};
