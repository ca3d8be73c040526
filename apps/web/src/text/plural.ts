// A number with its noun, as the language inflects it.
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const rules = new Map<string, Intl.PluralRules>();

/** `#` in the form stands for the number. */
export function plural(language: string, count: number, forms: Forms): string {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  const form = forms[rule.select(count)] ?? forms.other;
  return form.replace('#', new Intl.NumberFormat(language).format(count));
}
