// Remembers a decision: the rule's reach, its scope, and the earlier calls it would have decided; or why no rule is possible.
import type { ProposedRule, RuleBreadth, RuleScope } from '@codelab/api';
import { type ApprovalRequest, type Rule, visibleLine } from '@codelab/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../../../api/api.ts';
import { errorMessage } from '../../../error-help.ts';
import { currentText, useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { TabPanel, Tabs } from '../../../ui/tabs.tsx';
import type { SendDecision } from '../answering.ts';
import { Breadths, breadthOptions } from './breadths.tsx';
import { FreeArguments, RefusingRule } from './proposed-rule.tsx';

type Props = { approval: ApprovalRequest; isSending: boolean; decide: SendDecision; onClose(): void };

export function AlwaysDialog({ approval, isSending, decide, onClose }: Props) {
  const words = useViewText().approval;
  const [effect, setEffect] = useState<'allow' | 'deny'>('allow');
  const [scope, setScope] = useState<RuleScope>('session');
  const [widen, setWiden] = useState<readonly string[]>([]);
  const answer = useProposedRule(approval, { effect, widen: effect === 'allow' ? widen : [] });
  const keep = async (kind: 'approve' | 'reject', rule: Rule, more = {}): Promise<void> => {
    if (answer?.isFresh !== true) return;
    const remember = { scope, rule, ...more, ...(rule.free && { widen: rule.free }) };
    if (await decide({ kind, remember })) onClose();
  };
  const denyingRule = effect === 'deny' ? (answer?.proposed.rule ?? undefined) : undefined;
  const deny = (): void => {
    if (denyingRule !== undefined) void keep('reject', denyingRule);
  };
  const canDeny = denyingRule !== undefined && !isSending;
  return (
    <Dialog
      isOpen
      title={words.alwaysTitle}
      onClose={onClose}
      footer={<Footer hasDeny={effect === 'deny'} canDeny={canDeny} onDeny={deny} onClose={onClose} />}
    >
      <Tabs
        label={words.alwaysTitle}
        value={effect}
        items={(['allow', 'deny'] as const).map((id) => ({ id, label: words[id] }))}
        onChange={(id) => setEffect(id === 'deny' ? 'deny' : 'allow')}
      >
        <TabPanel id={effect}>
          <div className="flex flex-col gap-3 px-0.5 pt-3 pb-0.5">
            {answer === undefined ? (
              <Spinner label={words.sending} />
            ) : effect === 'deny' ? (
              <Refuse proposed={answer.proposed} scope={scope} onScope={setScope} />
            ) : (
              <Allow
                {...{ approval, scope, widen, isSending }}
                proposed={answer.proposed}
                onScope={setScope}
                onWiden={setWiden}
                onKeep={({ rule, breadth }) => void keep('approve', rule, { breadth })}
              />
            )}
          </div>
        </TabPanel>
      </Tabs>
    </Dialog>
  );
}

type FooterProps = { hasDeny: boolean; canDeny: boolean; onDeny(): void; onClose(): void };

function Footer({ hasDeny, canDeny, onDeny, onClose }: FooterProps) {
  const words = useViewText().approval;
  return (
    <>
      <Button tone="quiet" onClick={onClose}>
        {words.cancel}
      </Button>
      {hasDeny && (
        <Button tone="danger" disabled={!canDeny} onClick={onDeny}>
          {words.keepDeny}
        </Button>
      )}
    </>
  );
}

type ChoiceProps = { proposed: ProposedRule; scope: RuleScope; onScope(scope: RuleScope): void };

function Refuse({ proposed, ...choice }: ChoiceProps): ReactNode {
  return proposed.rule === null ? (
    <NoRule why={proposed.why} />
  ) : (
    <RefusingRule proposed={proposed} {...choice} />
  );
}

type AllowProps = ChoiceProps & {
  approval: ApprovalRequest;
  widen: readonly string[];
  onWiden(names: readonly string[]): void;
  isSending: boolean;
  onKeep(breadth: RuleBreadth): void;
};

function Allow({ approval, proposed, widen, onWiden, ...choice }: AllowProps): ReactNode {
  const words = useViewText().approval;
  // An allowing rule speaks only where no other one does: the strictest wins.
  if (!approval.verdict.rule.startsWith('default:'))
    return <NoRule why={words.ruleInTheWay(visibleLine(approval.verdict.rule))} />;
  const breadths = breadthOptions(proposed);
  if (breadths.length === 0) return <NoRule why={proposed.rule === null ? proposed.why : ''} />;
  const names = proposed.rule === null ? [] : (proposed.arguments ?? []);
  return (
    <>
      <FreeArguments names={names} widen={widen} onWiden={onWiden} />
      <Breadths breadths={breadths} scopes={proposed.scopes ?? ['session']} {...choice} />
    </>
  );
}

function NoRule({ why }: { why: string }) {
  const words = useViewText().approval;
  return (
    <div role="status" className="rounded-base bg-warn-soft px-3 py-2 text-warn">
      <p className="font-semibold">{words.noRule}</p>
      <p className="wrap-anywhere">{visibleLine(why)}</p>
    </div>
  );
}

// The rule an approval would be remembered by, asked anew for each effect and each choice of arguments that are left free.
type Wanted = { effect: 'allow' | 'deny'; widen: readonly string[] };

/** Undefined while it is asked for the first time; not `isFresh` while it is asked with another choice. */
function useProposedRule(
  { session, id }: ApprovalRequest,
  { effect, widen }: Wanted,
): { proposed: ProposedRule; isFresh: boolean } | undefined {
  const free = widen.join(',');
  const [found, setFound] = useState<{ effect: string; free: string; proposed: ProposedRule } | undefined>();
  useEffect(() => {
    let isWanted = true;
    const keep = (proposed: ProposedRule): void => {
      if (isWanted) setFound({ effect, free, proposed });
    };
    api.approvals
      .rule(session, id, { effect, widen: free })
      .then(keep, (error: unknown) => keep({ rule: null, why: errorMessage(error, currentText()) }));
    return () => {
      isWanted = false;
    };
  }, [session, id, effect, free]);
  if (found?.effect !== effect) return undefined;
  return { proposed: found.proposed, isFresh: found.free === free };
}
