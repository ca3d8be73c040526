// From now on: the exact rule, for whom it would hold, and what it would have decided before; or why it can't be remembered.
import { type ApprovalRequest, visible, visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import type { ProposedRule, RuleScope } from '../../api/approvals.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TabPanel, Tabs } from '../../ui/tabs.tsx';
import { PastCalls } from './past-calls.tsx';
import type { Decide } from './use-decide.ts';
import { useProposedRule } from './use-proposed-rule.ts';

type Props = { approval: ApprovalRequest; isSending: boolean; decide: Decide; onClose(): void };

export function AlwaysDialog({ approval, isSending, decide, onClose }: Props) {
  const words = useText().approval;
  const [effect, setEffect] = useState<'allow' | 'deny'>('allow');
  const [scope, setScope] = useState<RuleScope>('session');
  const proposed = useProposedRule(approval, effect);
  // An allowing rule speaks only where no other one does: the strictest wins.
  const isInVain = effect === 'allow' && !approval.verdict.rule.startsWith('default:');
  const rule = isInVain ? undefined : (proposed?.rule ?? undefined);
  const keep = async (): Promise<void> => {
    if (rule === undefined) return;
    const kind = effect === 'allow' ? ('approve' as const) : ('reject' as const);
    if (await decide({ kind, remember: { scope, rule } })) onClose();
  };
  return (
    <Dialog
      isOpen
      title={words.alwaysTitle}
      onClose={onClose}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            tone={effect === 'allow' ? 'strong' : 'danger'}
            disabled={rule === undefined || isSending}
            onClick={() => void keep()}
          >
            {isSending && <Spinner />}
            {effect === 'allow' ? words.keepAllow : words.keepDeny}
          </Button>
        </>
      }
    >
      <Tabs
        label={words.alwaysTitle}
        value={effect}
        items={(['allow', 'deny'] as const).map((id) => ({ id, label: words[id] }))}
        onChange={(id) => setEffect(id === 'deny' ? 'deny' : 'allow')}
      >
        <TabPanel id={effect}>
          <div className="flex flex-col gap-3 px-0.5 py-3">
            {proposed === undefined && <Spinner label={words.sending} />}
            {isInVain && <CanNot why={words.ruleInTheWay(visibleLine(approval.verdict.rule))} />}
            {!isInVain && proposed !== undefined && (
              <Proposed proposed={proposed} scope={scope} onScope={setScope} />
            )}
          </div>
        </TabPanel>
      </Tabs>
    </Dialog>
  );
}

function CanNot({ why }: { why: string }) {
  const words = useText().approval;
  return (
    <div role="status" className="rounded-base bg-warn-soft px-3 py-2 text-warn">
      <p className="font-semibold">{words.noRule}</p>
      <p>{why}</p>
    </div>
  );
}

type ProposedProps = { proposed: ProposedRule; scope: RuleScope; onScope(scope: RuleScope): void };

function Proposed({ proposed, scope, onScope }: ProposedProps) {
  const words = useText().approval;
  if (proposed.rule === null) return <CanNot why={proposed.why} />;
  return (
    <>
      <div>
        <h3 className="mb-1 text-small font-medium text-muted">{words.exactRule}</h3>
        <p className="mb-1 font-medium wrap-anywhere">{visibleLine(proposed.text)}</p>
        <pre className="max-h-56 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere">
          {visible(JSON.stringify(proposed.rule, null, 2))}
        </pre>
      </div>
      <Select
        label={words.scope}
        value={scope}
        options={proposed.scopes.map((value) => ({ value, label: words.scopes[value] }))}
        onChange={(value) => onScope(value as RuleScope)}
      />
      <PastCalls calls={proposed.matches} total={proposed.total_matches} />
    </>
  );
}
