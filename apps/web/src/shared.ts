// Components that other screens of CodeLab use as well: they show their props and reach no gateway.
export { UnifiedLine } from './diff/diff-line.tsx';
export { hunkRows } from './diff/hunk-rows.ts';
export { Markdown } from './markdown/markdown.tsx';
export { foldFrame } from './session/fold-frame.ts';
export type { CallModel, Entry, SessionModel } from './session/session-model.ts';
export { emptySession } from './session/session-store.ts';
export { speak, useLanguage } from './text/language.ts';
export type { UiLanguage } from './text/load-texts.ts';
export { useText } from './text/use-text.ts';
export { RiskBadge } from './ui/badge.tsx';
export { Button } from './ui/button.tsx';
export { Checkbox } from './ui/checkbox.tsx';
export { cx } from './ui/cx.ts';
export { Spinner } from './ui/spinner.tsx';
export { Toasts } from './ui/toast.tsx';
export { Countdown } from './views/approval/decision-status.tsx';
export { CallStateMark, kindIcons } from './views/conversation/calls/call-labels.tsx';
