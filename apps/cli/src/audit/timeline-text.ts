// Calls as a timeline: a line for each new day, then per call a headline and what policy, people and the disk did.
import { type Actor, type Effect, visibleLine } from '@codelab/protocol';
import type { Paint, Style } from '../output/paint.ts';
import { hangText } from '../output/text-width.ts';
import { byteSize, dayTime, timeOfDay } from '../output/units.ts';
import type { CallApproval, CallRecord } from './call-records.ts';

type Setting = { paint: Paint; columns: number };

export function timelineText(records: readonly CallRecord[], setting: Setting): string[] {
  let day = '';
  return records.flatMap((record) => {
    const today = dayTime(record.at).slice(0, 10);
    const heading = today === day ? [] : [setting.paint('dim', today)];
    day = today;
    return [...heading, ...callText(record, setting)];
  });
}

function callText(record: CallRecord, { paint, columns }: Setting): string[] {
  const { at, by, tool, touches, call, status, duration_ms, verdict, asked, effects, error, recovered } =
    record;
  const durationText = duration_ms === undefined ? '' : ` in ${duration(duration_ms)}`;
  const ended = `${paint(statusStyle(status), status.replace('_', ' '))}${durationText}`;
  const detail = (label: string, text: string): string[] =>
    hangText(`          ${paint('dim', label.padEnd(8))} `, text, columns);
  return [
    `${timeOfDay(at)}  ${paint('bold', visibleLine(tool))} ${visibleLine(touches.slice(0, 3).join(' '))}  ${ended}`,
    ...(by === undefined ? [] : detail('asked by', actorText(by))),
    ...(verdict === undefined
      ? []
      : detail(
          'verdict',
          `${verdict.verdict}, ${verdict.risk} risk: ${visibleLine(verdict.reason)} [${visibleLine(verdict.rule)}]`,
        )),
    ...asked.flatMap((approval) => detail('decision', decision(approval))),
    ...effects.flatMap((effect) => detail('effect', effectText(effect))),
    ...(recovered ?? []).flatMap((path) =>
      detail('recovery', `${visibleLine(path)} was lost in a power failure and written again`),
    ),
    ...(error === undefined || isTold(record)
      ? []
      : detail('error', `${error.code}: ${visibleLine(error.message)}`)),
    ...detail('call', paint('dim', visibleLine(call))),
  ];
}

/** A denial or an expiry is already shown with the verdict or the decision. */
function isTold({ error, verdict, asked }: CallRecord): boolean {
  const isDenied = error?.code === 'PERMISSION_DENIED' && verdict?.verdict === 'deny';
  return isDenied || (error?.code === 'APPROVAL_EXPIRED' && asked.at(-1)?.settled?.how === 'expired');
}

function decision({ at, deadline, settled }: CallApproval): string {
  if (settled === undefined)
    return `waiting since ${timeOfDay(at)}${deadline === undefined ? '' : `, until ${timeOfDay(deadline)}`}`;
  if (settled.how === 'expired') return `expired after ${duration(settled.at - at)}: no decision`;
  const { how, who = '', via = '', feedback, remembered } = settled;
  const words = [`${how} by ${actorText({ who, via })} after ${duration(settled.at - at)}`];
  if (feedback !== undefined) words.push(`saying ${JSON.stringify(visibleLine(feedback))}`);
  if (remembered !== undefined && remembered !== 'once') words.push(`remembered for the ${remembered}`);
  return words.join(', ');
}

function actorText({ who, via }: Actor): string {
  return `${visibleLine(who)} via ${visibleLine(via)}`;
}

function effectText({ op, path, from, before, after, trashId, uncertain }: Effect): string {
  const place = from === undefined ? path : `${from} → ${path}`;
  const sizes = [before, after].map((state) => (state === null ? 'nothing' : byteSize(state.size)));
  const isFile = before?.type === 'file' || after?.type === 'file';
  const size = isFile && op !== 'move' ? ` (${sizes.join(' → ')})` : '';
  const trashText = trashId === undefined ? '' : `, kept as ${trashId}`;
  return `${op} ${visibleLine(place)}${size}${trashText}${uncertain ? ', author unknown' : ''}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function statusStyle(status: string): Style {
  if (status === 'completed') return 'green';
  return ['failed', 'rejected', 'expired', 'timed_out', 'cancelled'].includes(status) ? 'red' : 'yellow';
}
