// How much runs unasked: the mode, a place to test calls, and the rules.
import type { PolicyOverview } from '@codelab/api';
import { policyModes } from '@codelab/protocol';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useCurrentSession } from '../../../session/current-session.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { InstructionTrustChoice } from '../../modes/instruction-trust.tsx';
import { applyChange, type SectionProps } from '../section.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleList } from './rule-list.tsx';
import { RuleTester } from './rule-tester.tsx';

export function PolicySection({ settings }: SectionProps) {
  const words = useViewText().settings;
  const session = useCurrentSession();
  const [policy, setPolicy] = useState<PolicyOverview | undefined>();
  const load = useCallback(() => {
    api.policy
      .get(session === '' ? undefined : session)
      .then(setPolicy)
      .catch(toastError);
  }, [session]);
  useEffect(load, [load]);
  return (
    <>
      <ModeChoice settings={settings} />
      <InstructionTrustChoice />
      <RuleTester session={session} />
      <div className="flex flex-col gap-2">
        <h3 className="font-semibold">{words.rules}</h3>
        <p className="text-small text-muted">{words.rulesHint}</p>
        {policy === undefined ? (
          <Spinner label={words.rules} />
        ) : (
          <RuleList rules={policy.rules} mayRemove={settings.is_operator} onChange={load} />
        )}
        <RuleForm session={session} isOperator={settings.is_operator} onAdded={load} />
      </div>
    </>
  );
}

function ModeChoice({ settings }: SectionProps) {
  const words = useViewText().settings;
  // A mode from a flag, a variable or a configuration applies to the gateway; otherwise it is the person's choice for this folder.
  const isNamed = settings.mode_from === 'named';
  const current = isNamed ? settings.mode : settings.new_session_mode;
  return (
    <fieldset className="flex flex-col gap-2" disabled={!settings.is_operator}>
      <legend className="mb-1 font-semibold">{words.mode}</legend>
      <div className="grid gap-2 @lg:grid-cols-2">
        {policyModes.map((mode) => (
          <label
            key={mode}
            className="flex cursor-pointer items-start gap-2 rounded-large border border-line bg-raised p-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="policy-mode"
              checked={current === mode}
              onChange={() => void applyChange(isNamed ? { mode } : { workspace_mode: mode }, words.saved)}
              className="mt-0.5 size-4 shrink-0"
            />
            <span>
              <span className="block font-medium">{words.modes[mode]}</span>
              <span className="block text-small text-muted">{words.modeHints[mode]}</span>
            </span>
          </label>
        ))}
      </div>
      <p className="text-small text-muted">{isNamed ? words.modeHolds : words.modeKept}</p>
    </fieldset>
  );
}
