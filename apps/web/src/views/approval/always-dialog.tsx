// From now on: the exact rule, for whom it would hold, and what it would have decided before; or why it can't be remembered.
import type { RuleScope } from '@codelab/api';
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TabPanel, Tabs } from '../../ui/tabs.tsx';
import type { Decide } from './answering.ts';
import { ProposedRule } from './proposed-rule.tsx';
import { useProposedRule } from './use-proposed-rule.ts';

type Props = { approval: ApprovalRequest; isSending: boolean; decide: Decide; onClose(): void };

export function AlwaysDialog({ approval, isSending, decide, onClose }: Props) {
  const words = useText().approval;
  const [effect, setEffect] = useState<'allow' | 'deny'>('allow');
  const [scope, setScope] = useState<RuleScope>('session');
  const [widen, setWiden] = useState<readonly string[]>([]);
  const answer = useProposedRule(approval, { effect, widen: effect === 'allow' ? widen : [] });
  const proposed = answer?.proposed;
  // An allowing rule speaks only where no other one does: the strictest wins.
  const isInVain = effect === 'allow' && !approval.verdict.rule.startsWith('default:');
  const rule = isInVain || answer?.isFresh !== true ? undefined : (proposed?.rule ?? undefined);
  const keep = async (): Promise<void> => {
    if (rule === undefined) return;
    const kind = effect === 'allow' ? ('approve' as const) : ('reject' as const);
    if (await decide({ kind, remember: { scope, rule, ...(rule.free && { widen: rule.free }) } })) onClose();
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
          <div className="flex flex-col gap-3 px-0.5 pt-3 pb-0.5">
            {proposed === undefined && <Spinner label={words.sending} />}
            {isInVain && <CanNot why={words.ruleInTheWay(visibleLine(approval.verdict.rule))} />}
            {!isInVain && proposed?.rule === null && <CanNot why={proposed.why} />}
            {!isInVain && proposed !== undefined && proposed.rule !== null && (
              <ProposedRule
                proposed={proposed}
                scope={scope}
                onScope={setScope}
                widen={widen}
                onWiden={setWiden}
              />
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
