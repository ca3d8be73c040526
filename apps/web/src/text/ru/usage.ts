// Words of the usage view.
import { plural } from '../plural.ts';

export const ruUsage = {
  none: 'Пока ничего не израсходовано',
  noneHint: 'Токены, стоимость и время ожидания появятся здесь после первого хода.',
  noTokens: 'Демо-модель — это сценарий: она не тратит токенов и ничего не стоит.',
  refresh: 'Обновить',
  tokens: 'Токены',
  tokensIn: 'Токены на входе',
  tokensOut: 'Токены на выходе',
  input: 'Вход',
  output: 'Выход',
  started: 'Начало',
  cost: 'Стоимость',
  pricedTurns: (priced: number, unpriced: number) =>
    `сумма по ходам с ценой: ${priced}; ходов без цены: ${unpriced}`,
  unpriced: 'Модели без цены',
  turnsOf: (count: number) =>
    plural('ru', count, { one: '# ход', few: '# хода', many: '# ходов', other: '# хода' }),
  turns: 'Ходы',
  calls: 'Вызовы',
  callsDone: 'Выполнены',
  callsFailed: 'Не выполнены',
  approvals: 'Запросы',
  waited: 'Ожидание разрешения',
  waitedShort: 'Ожидание',
  average: (time: string) => `в среднем ${time}`,
  failed: (count: number) =>
    plural('ru', count, {
      one: '# не выполнен',
      few: '# не выполнены',
      many: '# не выполнено',
      other: '# не выполнено',
    }),
  byDay: 'По дням',
  show: 'Показать',
  waits: 'Сколько ждали запросы',
  waitsHint: 'Запросы по времени до ответа человека',
  longer: 'дольше',
  count: 'Число',
  day: 'День',
  byTurn: 'По ходам',
  turn: 'Ход',
  bySession: 'По сеансам',
  session: 'Сеанс',
  last: 'Последний раз',
  openSession: (title: string) => `Открыть «${title}»`,
  leftOut: (count: number) =>
    plural('ru', count, {
      one: '# более старый сеанс не показан.',
      few: '# более старых сеанса не показаны.',
      many: '# более старых сеансов не показано.',
      other: '# более старых сеанса не показано.',
    }),
};
