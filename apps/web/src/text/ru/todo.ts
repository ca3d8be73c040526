// Words of the todo panel.
import { plural } from '../plural.ts';

export const todo = {
  name: 'Задачи',
  none: 'Списка задач пока нет',
  noneHint: 'Для работы в несколько шагов агент пишет здесь план и отмечает сделанное.',
  list: 'Список задач агента',
  progress: (done: number, all: number) => `Готово ${done} из ${all}`,
  left: (count: number) =>
    plural('ru', count, { one: 'Осталась #', few: 'Осталось #', many: 'Осталось #', other: 'Осталось #' }),
  status: { pending: 'Предстоит', in_progress: 'В работе', completed: 'Готово', cancelled: 'Отброшено' },
  priority: { high: 'Важно', medium: 'Средне', low: 'Не срочно' },
};
