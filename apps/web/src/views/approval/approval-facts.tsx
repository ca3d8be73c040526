// What a human needs to know before deciding, in the order they need it: why it asks, what would happen, where it really goes.
import { type ApprovalRequest, type BlastRadius, visible, visibleLine } from '@codelab/protocol';
import { bytes } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { CommandFacts } from './command-facts.tsx';
import { DiffPreview } from './diff-preview.tsx';
import { Fact } from './fact.tsx';
import { GivenArguments } from './given-arguments.tsx';
import { Touches } from './touches.tsx';

export function ApprovalFacts({ approval }: { approval: ApprovalRequest }) {
  const words = useText().approval;
  const { plan, verdict, again } = approval;
  const { question, command, diff, blast } = plan;
  return (
    <div className="flex flex-col gap-2">
      {again !== undefined && (
        <p className="rounded-base bg-warn-soft px-2 py-1 text-small text-warn wrap-anywhere">
          <strong>{words.again}:</strong> {visibleLine(again)}
        </p>
      )}
      {question !== undefined && (
        <p className="max-h-72 overflow-auto text-read whitespace-pre-wrap wrap-anywhere">
          {visible(question.message)}
        </p>
      )}
      {command !== undefined && <CommandFacts command={command} />}
      {diff !== undefined && diff.text !== '' && <DiffPreview approval={approval} diff={diff} />}
      {(question === undefined || verdict.verdict !== 'allow') && (
        <Fact label={words.why}>
          {visibleLine(verdict.reason)}{' '}
          <span className="font-mono text-tiny text-muted">({words.rule(visibleLine(verdict.rule))})</span>
        </Fact>
      )}
      {question === undefined && <Fact label={words.risk}>{visibleLine(plan.riskReason)}</Fact>}
      {plan.touches.length > 0 && question === undefined && (
        <Fact label={words.touches}>
          <Touches touches={plan.touches} />
        </Fact>
      )}
      {blast !== undefined && <Reach blast={blast} />}
      {plan.notes.map((note, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may be noted twice.
        <Fact key={at} label={words.note}>
          {visibleLine(note)}
        </Fact>
      ))}
      {question === undefined && <GivenArguments args={approval.args} />}
    </div>
  );
}

function Reach({
  blast: { files, directories, bytes: size, untracked, linksLeaving },
}: {
  blast: BlastRadius;
}) {
  const words = useText().approval;
  const parts = [words.files(files), words.folders(directories), bytes(size)];
  return (
    <Fact label={words.reach}>
      <span className="font-medium text-high">{parts.join(', ')}</span>
      {untracked !== null && untracked > 0 && (
        <span className="font-medium text-bad">, {words.untracked(untracked)}</span>
      )}
      {linksLeaving > 0 && <span className="font-medium text-bad">, {words.linksLeaving(linksLeaving)}</span>}
    </Fact>
  );
}
