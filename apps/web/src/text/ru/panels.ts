// Words of the panels beside the conversation: todo list, context and processes.
import { plural } from '../plural.ts';

// Words of the todo panel.
export const ruTodo = {
  name: 'Задачи',
  none: 'Списка задач пока нет',
  noneHint: 'Для работы в несколько шагов агент пишет здесь план и отмечает сделанное.',
  list: 'Список задач агента',
  progress: (done: number, all: number) => `Готово ${done} из ${all}`,
  left: (count: number) =>
    plural('ru', count, { one: 'Осталась #', few: 'Осталось #', many: 'Осталось #', other: 'Осталось #' }),
  status: { pending: 'Предстоит', in_progress: 'В работе', completed: 'Готово', cancelled: 'Отменено' },
  priority: { high: 'Важно', medium: 'Средне', low: 'Не срочно' },
};

// Words of the context panel.
export const ruContext = {
  name: 'Контекст',
  none: 'Нет закреплённых файлов',
  noneHint: 'Добавленные сюда файлы модель видит на каждом ходу.',
  files: 'Файлы, которые модель видит на каждом ходу',
  add: 'Добавить файл',
  found: 'Подходящие файлы',
  remove: (path: string) => `Убрать ${path}`,
  clear: 'Убрать все',
  used: 'Контекстное окно',
  usedOf: (used: string, all: string) => `${used} из ${all} токенов`,
  usedOnly: (used: string) => `${used} токенов`,
  pinned: (used: string) => `из них файлы: ${used}`,
  tokens: (count: string) => `${count} токенов`,
  missing: 'не удалось прочитать',
  noSession: 'Контекст принадлежит сеансу. Отправьте сообщение, чтобы начать его.',
};

// Words of running commands, long-running processes and their terminals.
export const ruProcesses = {
  name: 'Процессы',
  terminal: 'Терминал',
  none: 'Ничего не выполняется',
  noneHint: 'Здесь показаны выполняемые команды и серверы, запущенные агентом, вместе с их выводом.',
  commands: 'Выполняемые команды',
  processes: 'Долгие процессы',
  running: 'Работает',
  exited: (code: number) => `Завершился с кодом ${code}`,
  ended: 'Завершён',
  stop: 'Остановить',
  stopping: 'Останавливается…',
  openTab: 'Открыть во вкладке',
  stopOne: (what: string) => `Остановить ${what}`,
  restartOne: (what: string) => `Перезапустить ${what}`,
  show: (what: string) => `Показать вывод ${what}`,
  input: 'Ввод',
  inputHint: 'Строка для процесса',
  send: 'Отправить',
  sendsEnter: 'Enter отправляет строку. Она проверяется и записывается, как вызов агента.',
  output: (what: string) => `Вывод ${what}`,
  dropped: 'Начало вывода больше недоступно.',
  startedAt: (when: string) => `запущен ${when}`,
  refused: 'Правила этого не разрешают:',
  waits: 'Это ждёт решения в разговоре.',
  gone: 'Процесс завершился, его вывод больше недоступен.',
};

// Words of a person's own terminals.
export const ruTerminals = {
  name: 'Терминал',
  new: 'Новый терминал',
  end: 'Завершить терминал',
  hide: 'Скрыть терминал',
  toggle: 'Показать или скрыть терминал',
  height: 'Высота терминала',
  none: 'Терминал не открыт',
  hint: 'Ваша собственная оболочка в рабочей папке, вне песочницы. Правила на неё не действуют, агент её не читает и в неё не пишет.',
  screen: (what: string) => `${what}: ваш терминал. Ctrl+\` — выйти из него.`,
  exited: (code: number) => `Оболочка завершилась с кодом ${code}.`,
  dropped: 'Начало больше не хранится.',
  gone: 'Терминал завершился вместе со шлюзом.',
  close: 'Закрыть',
  opened: (who: string) => `${who}: открыт терминал`,
  closed: (code: number) => `Терминал закрыт (код ${code})`,
  stopped: 'Терминал закрыт',
};
