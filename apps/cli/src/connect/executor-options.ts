// What an executor for a gateway needs of the program around it.
import '../shared.ts';
import type { Dialect } from '@codelab/dialects';
import type { Answer, Host } from '@codelab/runtime';
import type { Show } from './show.ts';

export type ExecutorOptions = {
  host: Host;
  dialect: Dialect;
  /** The local session, known once the gateway has said which of its own this is. */
  session(): string;
  answer: Answer;
  /** Whether somebody can be asked here. If not, questions are left to those at the gateway. */
  asksHere: boolean;
  trustsGateway: boolean;
  send(message: object): boolean;
  show: Show;
};
