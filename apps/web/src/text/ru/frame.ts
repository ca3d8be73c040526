// Words of the frame: bars, panels, palette, connection.
import { plural } from '../plural.ts';

export const ruFrame = {
  bar: {
    name: 'Состояние сеанса',
    mode: 'Показать режим в разговоре',
    plan: 'План',
    model: 'Модель',
    context: 'Занято контекста',
    cost: 'Стоимость сеанса',
    branch: 'Ветка git',
    changes: 'Проверить все изменения',
  },
  skipToConversation: 'К разговору',
  skipToPanel: 'К боковой панели',
  explorer: 'Проводник',
  main: 'Рабочая область',
  sidePanel: 'Боковая панель',
  openTabs: 'Открытые вкладки',
  closeTab: (name: string) => `Закрыть «${name}»`,
  places: 'Разделы',
  more: 'Ещё',
  resizeLeft: 'Ширина проводника',
  resizeRight: 'Ширина боковой панели',
  showLeft: 'Показать или скрыть проводник',
  showRight: 'Показать или скрыть боковую панель',
  palette: 'Палитра команд',
  paletteSearch: 'Найти команду…',
  paletteNone: 'Подходящих команд нет.',
  shortcuts: 'Сочетания клавиш',
  theme: 'Тема',
  themes: { system: 'Как в системе', light: 'Светлая', dark: 'Тёмная' },
  language: 'Язык',
  newSession: 'Новый сеанс',
  untitled: 'Новый сеанс',
  status: {
    noModel: 'Нет модели',
    idle: 'Готов',
    thinking: 'Думает…',
    executing_tool: 'Работает…',
    waiting_approval: 'Ждёт вас',
    error: 'Остановлен из-за ошибки',
  },
  connection: {
    loading: 'Сеанс загружается…',
    lost: 'Соединение потеряно, переподключаемся. Набранный текст сохранён.',
    gone: 'Не удалось открыть сеанс:',
  },
  approvalsWaiting: (count: number) =>
    plural('ru', count, {
      one: '# запрос ждёт решения',
      few: '# запроса ждут решения',
      many: '# запросов ждут решения',
      other: '# запроса ждут решения',
    }),
  signedOut: 'Вы вышли.',
  signIn: 'Войти',
  signOut: 'Выйти',
  viewFailed: 'Этот раздел не удалось показать.',
  tryAgain: 'Повторить',
  loading: 'Загрузка…',
  groups: {
    recent: 'Недавние',
    go: 'Переход',
    view: 'Вид',
    session: 'Сеанс',
    help: 'Справка',
    other: 'Прочее',
  },
};

// Words of the small controls.
export const ruUi = {
  close: 'Закрыть',
  risk: { low: 'Низкий риск', medium: 'Средний риск', high: 'Высокий риск', critical: 'Критично' },
};
