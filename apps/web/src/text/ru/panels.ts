// Words of the panels beside the conversation: todo list, context and processes.
import { plural } from '../plural.ts';

// Words of the context panel.
export const ruContext = {
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
  new: 'Новый терминал',
  end: 'Завершить терминал',
  hide: 'Скрыть терминал',
  none: 'Терминал не открыт',
  hint: 'Ваша собственная оболочка в рабочей папке, вне песочницы. Правила на неё не действуют, агент её не читает и в неё не пишет.',
  screen: (what: string) => `${what}: ваш терминал. Ctrl+\` — выйти из него.`,
  exited: (code: number) => `Оболочка завершилась с кодом ${code}.`,
  dropped: 'Начало больше не хранится.',
  gone: 'Терминал завершился вместе со шлюзом.',
  close: 'Закрыть',
};

// Words of the search in the project.
export const ruSearch = {
  matchCase: 'Учитывать регистр',
  regex: 'Регулярное выражение',
  pattern: 'В каких файлах',
  patternHint: 'Файлы, например src/**/*.ts',
  hint: 'Игнорируемые и двоичные файлы и те, где могут быть секреты, не просматриваются.',
  none: 'Ничего не найдено',
  noneHint: 'Игнорируемые и двоичные файлы и те, где могут быть секреты, не просматриваются.',
  results: 'Результаты',
  lines: 'строк',
  more: 'Показать ещё',
  found: (lines: number, files: number) =>
    `${plural('ru', lines, { one: '# строка', few: '# строки', many: '# строк', other: '# строки' })} в ${plural('ru', files, { one: '# файле', few: '# файлах', many: '# файлах', other: '# файла' })}`,
};

// Words of creating, renaming and deleting in the file tree.
export const ruTreeEdit = {
  cancel: 'Отмена',
  nameField: 'Имя',
  nameIn: (folder: string) => `Имя в ${folder}`,
  editTitles: { file: 'Новый файл', folder: 'Новая папка', rename: 'Переименование', delete: 'Удалить?' },
  editVerbs: { file: 'Создать', folder: 'Создать', rename: 'Переименовать', delete: 'Удалить' },
  saveFirst: 'Есть несохранённые изменения. Сначала сохраните их.',
  made: (path: string) => `Создано: ${path}. Отменить можно в «Изменениях».`,
  renamed: (path: string) => `Новое имя: ${path}. Отменить можно в «Изменениях».`,
  removed: (path: string) => `${path} перемещено в корзину. Отменить можно в «Изменениях».`,
  removeFile: (path: string) => `${path} будет перемещён в корзину. Его можно будет восстановить.`,
  removeFolder: (path: string) =>
    `${path} и всё содержимое будут перемещены в корзину. Их можно будет восстановить.`,
  removeUnsaved: 'Несохранённые изменения будут потеряны.',
};
