// Sentences that the core wrote about a call, in the language of the screen; in English where the screen has no words for one.
import type { ListedRule } from '@codelab/api';
import { fillPhrases, type Phrase, type Plan } from '@codelab/protocol';
import { use, useMemo } from 'react';
import type { UiTexts } from './en.ts';
import { loadViewTexts, useLanguage } from './language.ts';
import { useText } from './use-text.ts';

type Reason = { reason: string; phrases?: readonly Phrase[] | undefined };
type PlanTexts = Pick<Plan, 'summary' | 'riskReason' | 'notes'>;

type Spoken = {
  reason(of: Reason): string;
  plan(of: Plan): PlanTexts;
  rule(of: ListedRule): Pick<ListedRule, 'text' | 'reason'>;
};

export function usePhrases(): Spoken {
  const texts = useText();
  const hasReasons = useLanguage(({ views }) => views) !== undefined;
  // In English there is nothing to wait for: the core's texts are English.
  if (texts.phrases !== undefined && !hasReasons) use(loadViewTexts());
  return useMemo(
    () => ({
      reason: (of) => reasonText(of, texts),
      plan: (of) => planTexts(of, texts),
      rule: (of) => ruleTexts(of, texts),
    }),
    [texts],
  );
}

export function reasonText({ reason, phrases }: Reason, texts: UiTexts): string {
  return spell(reason, phrases, texts);
}

export function planTexts({ summary, riskReason, notes, phrases = {} }: Plan, texts: UiTexts): PlanTexts {
  return {
    summary: spell(summary, phrases.summary, texts),
    riskReason: spell(riskReason, phrases.riskReason, texts),
    notes: notes.map((note, at) => spell(note, phrases.notes?.[at], texts)),
  };
}

/** A rule's conditions follow each other with commas. */
function ruleTexts(
  { text, reason, phrases }: ListedRule,
  texts: UiTexts,
): Pick<ListedRule, 'text' | 'reason'> {
  const conditions = phrases?.text.map((phrase) => translate([phrase], texts)) ?? [undefined];
  return {
    text: conditions.includes(undefined) ? text : conditions.join(texts.conversation.comma),
    reason: spell(reason, phrases?.reason, texts),
  };
}

/** An entry of an older log has no phrases, and a newer gateway may send a key that this page does not know. */
function spell(text: string, phrases: readonly Phrase[] | null | undefined, texts: UiTexts): string {
  return (phrases && translate(phrases, texts)) ?? withModeName(text, phrases, texts);
}

function translate(phrases: readonly Phrase[], texts: UiTexts): string | undefined {
  const named = phrases.map((phrase) => {
    const name = modeName(phrase, texts);
    return name === undefined ? phrase : { ...phrase, params: { ...phrase.params, mode: name } };
  });
  return texts.phrases && fillPhrases(named, texts.phrases);
}

/** The core's text has the mode's name of the configuration; on the screen the mode has another one. */
function withModeName(text: string, phrases: readonly Phrase[] | null | undefined, texts: UiTexts): string {
  const phrase = phrases?.find((candidate) => modeName(candidate, texts) !== undefined);
  if (phrase === undefined) return text;
  return text.replace(`in ${phrase.params?.mode} mode`, () => `in the mode “${modeName(phrase, texts)}”`);
}

function modeName({ params }: Phrase, { settings: { modes } }: UiTexts): string | undefined {
  return Object.entries(modes).find(([mode]) => mode === params?.mode)?.[1];
}
