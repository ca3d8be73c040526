// Words of the usage view.
import { plural } from '../plural.ts';

export const enUsage = {
  name: 'Usage',
  none: 'Nothing used yet',
  noneHint: 'Tokens, cost and waiting times appear here after the first turn.',
  noTokens: 'The demo model is a script: it uses no tokens and costs nothing.',
  refresh: 'Refresh',
  tokens: 'Tokens',
  tokensIn: 'Input tokens',
  tokensOut: 'Output tokens',
  /** Short names for the columns of a table. */
  input: 'Input',
  output: 'Output',
  started: 'Started',
  cost: 'Cost',
  noCost: 'price unknown',
  pricedTurns: (priced: number, unpriced: number) =>
    `total of ${plural('en', priced, { one: '# priced turn', other: '# priced turns' })}; ${plural('en', unpriced, { one: '# turn has no price', other: '# turns have no price' })}`,
  unpriced: 'Models without a price',
  turnsOf: (count: number) => plural('en', count, { one: '# turn', other: '# turns' }),
  unpricedTurns: (count: number) =>
    plural('en', count, { one: '# turn has no price', other: '# turns have no price' }),
  turns: 'Turns',
  calls: 'Calls',
  callsDone: 'Done',
  callsFailed: 'Not completed',
  approvals: 'Approvals',
  waited: 'Waiting for approval',
  waitedShort: 'Waited',
  average: (time: string) => `${time} on average`,
  failed: (count: number) => plural('en', count, { one: '# not completed', other: '# not completed' }),
  byDay: 'By day',
  show: 'Show',
  waits: 'How long approvals waited',
  waitsHint: 'Approvals by the time until a person answered',
  longer: 'longer',
  count: 'Number',
  day: 'Day',
  byTurn: 'By turn',
  turn: 'Turn',
  bySession: 'By session',
  session: 'Session',
  last: 'Last used',
  openSession: (title: string) => `Open ${title}`,
  leftOut: (count: number) =>
    plural('en', count, { one: '# older session is not shown.', other: '# older sessions are not shown.' }),
};
