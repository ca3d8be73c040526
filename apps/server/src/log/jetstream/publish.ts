// Publishes one message after the last one known of its session; the server stores it only there, and once, however often it is sent.
import { headers } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';
import { codeOf, wrongLastSequence } from './faults.ts';
import { type Standing, standingHeader, writeStanding } from './message.ts';
import type { Messages } from './read-messages.ts';
import { tokenOf } from './texts.ts';

type Publication = { session: string; payload: string; before: Standing; after: Standing };

/** Where the session stands then. Undefined when another message was first. */
export type Publish = (publication: Publication) => Promise<Standing | undefined>;

export function createPublish({ js, names, newId, patiently }: Broker, messages: Messages): Publish {
  return async ({ session, payload, before, after }) => {
    // No two writers have the same, even where they append the same entries at the same moment.
    const id = newId();
    const header = headers();
    header.set(standingHeader, writeStanding({ ...after, id }));
    const subject = `${names.subjects}.${tokenOf(session)}`;
    const expect = { lastSubjectSequence: before.at };
    const at = await patiently(async () => {
      try {
        return (await js.publish(subject, payload, { headers: header, msgID: id, expect })).seq;
      } catch (error) {
        if (wrongLastSequence.includes(codeOf(error) ?? 0)) return undefined;
        throw error;
      }
    });
    if (at !== undefined) return { ...after, id, at };
    // The answer may have been lost for longer than the server knows repeats: then the last message is this one.
    const found = (await messages.last(session))?.standing;
    return found?.id === id ? found : undefined;
  };
}
