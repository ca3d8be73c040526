// Words on the first screen that belong to views which are loaded later: their names, their actions, and what the composer says of them.
import { plural } from '../plural.ts';

export const ruFirst = {
  approval: {
    name: 'Ожидают',
    next: 'К следующему запросу',
    notify: 'Уведомлять, когда что-то ждёт',
    notifyOff: 'Больше не уведомлять',
    notifyDenied: 'Браузер блокирует уведомления этой страницы.',
    notice: (tool: string) => `${tool} ждёт вашего решения`,
    noticeDone: 'Агент закончил',
    noticeStopped: 'Агент остановился',
    noticeMany: (count: number) =>
      plural('ru', count, {
        one: '# вызов ждёт вашего решения',
        few: '# вызова ждут вашего решения',
        many: '# вызовов ждут вашего решения',
        other: '# вызова ждут вашего решения',
      }),
    typeAnswer: 'Отклонить: что сделать иначе?',
    typeChoice: 'Напишите ответ или почему нет.',
    approvesNow: 'разрешает',
    enterApproves: 'Enter разрешает.',
    enterApprovesAll: (count: number) => `Enter разрешает все: ${count}.`,
    enterRejects: 'Enter отклоняет с этой причиной.',
    enterRejectsAll: (count: number) => `Enter отклоняет все (${count}) с этой причиной.`,
    enterAnswers: (action: string) => `Enter отвечает «${action}».`,
    enterDecidesNothing:
      'Набрано не для этого вопроса: Enter отправит это сообщением. Чтобы ответить, измените текст.',
  },
  changes: {
    name: 'Изменения',
    one: 'Изменение',
    undoLast: 'Отменить последнее изменение',
    redoLast: 'Вернуть',
  },
  sessions: {
    name: 'Сеансы',
    untitled: 'Без названия',
    goesOn: 'Этот сеанс продолжает другой; агент знает, что там было сказано.',
    original: 'Открыть исходный',
    worktree: {
      name: 'Рабочее дерево',
      choose: 'Начать в рабочем дереве',
      chooseHint: 'Сеанс работает в новой ветке в отдельной папке; файлы здесь не меняются.',
      menu: (branch: string) => `Рабочее дерево с веткой ${branch}`,
      merge: 'Слить рабочее дерево…',
      drop: 'Удалить рабочее дерево…',
      state: { present: '', dropped: 'удалено', missing: 'отсутствует' },
      mergedInto: (into: string) => `слито в ${into}`,
      ended: (branch: string, into: string | undefined) =>
        into === undefined
          ? `Рабочее дерево с веткой ${branch} удалено.`
          : `Ветка ${branch} слита в ${into}.`,
      gone: {
        dropped: 'Рабочее дерево этого сеанса удалено.',
        missing: 'Рабочее дерево этого сеанса отсутствует.',
      },
      goneHint: (path: string, branch: string) =>
        `Здесь больше ничего нельзя выполнить; сказанное можно читать. Папка была ${path}, ветка — ${branch}. Чтобы продолжить, начните новый сеанс.`,
    },
  },
  settings: {
    name: 'Настройки',
    modes: {
      strict: 'Строго',
      balanced: 'Спрашивать каждый раз',
      review: 'Работать, потом проверка',
      trusted: 'С доверием',
    },
    modeHints: {
      strict: 'Спрашивает перед каждым изменением и каждой командой.',
      balanced: 'Читает без вопроса, перед изменениями спрашивает.',
      review: 'Обратимые правки и команды в песочнице выполняются без вопроса. Вы проверяете результат.',
      trusted: 'Без вопроса запускает и известные программы сборки, тестов и пакетов.',
    },
  },
  modePicker: {
    mode: 'Режим',
    switchMode: 'Сменить режим',
    plan: 'Только план',
    planHint: 'Читает и планирует, ничего не меняет.',
  },
  /** The line that says a review waits. */
  reviewPrompt: {
    open: 'Проверить изменения',
    hint: 'Оставьте, отбросьте или прокомментируйте изменения этого хода.',
    review: (files: number) =>
      plural('ru', files, {
        one: 'Проверить # файл',
        few: 'Проверить # файла',
        many: 'Проверить # файлов',
        other: 'Проверить # файла',
      }),
  },
  usage: {
    name: 'Расход',
    noCost: 'цена неизвестна',
    unpricedTurns: (count: number) => `ходов без цены: ${count}`,
  },
  tour: {
    start: 'Пройти экскурсию',
    scripted: 'Демо-модель: сценарий, без ИИ',
    suggestions: 'Попробуйте попросить',
    forDemo: [
      'Почини магазин и запусти его тесты',
      'read src/cart.js',
      'find quantity in src',
      'run npm test',
    ],
    forModel: [
      'Объясни, что делает этот проект и как он устроен',
      'Запусти тесты и почини то, что не проходит',
      'Найди комментарии TODO и перечисли их',
    ],
  },
  terminals: {
    name: 'Терминал',
    toggle: 'Показать или скрыть терминал',
    height: 'Высота терминала',
    opened: (who: string) => `${who}: открыт терминал`,
    closed: (code: number) => `Терминал закрыт (код ${code})`,
    stopped: 'Терминал закрыт',
  },
  editor: {
    name: 'Файл',
    unsaved: 'не сохранён',
  },
  processes: {
    name: 'Процессы',
    terminal: 'Терминал',
  },
  search: {
    name: 'Поиск',
    field: 'Искать в проекте',
  },
  review: {
    name: 'Проверка',
  },
  context: {
    name: 'Контекст',
  },
  audit: {
    name: 'Аудит',
  },
  todo: {
    name: 'Задачи',
    none: 'Списка задач пока нет',
    noneHint: 'Для работы в несколько шагов агент пишет здесь план и отмечает сделанное.',
    list: 'Список задач агента',
    progress: (done: number, all: number) => `Готово ${done} из ${all}`,
    left: (count: number) =>
      plural('ru', count, { one: 'Осталась #', few: 'Осталось #', many: 'Осталось #', other: 'Осталось #' }),
    status: { pending: 'Предстоит', in_progress: 'В работе', completed: 'Готово', cancelled: 'Отменено' },
    priority: { high: 'Важно', medium: 'Средне', low: 'Не срочно' },
  },
};
