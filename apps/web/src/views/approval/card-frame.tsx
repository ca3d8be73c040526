// The frame that every question has: an edge in the colour of its risk, and a head that says in a line what it is about.
import type { Risk } from '@codelab/protocol';
import type { LucideIcon } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { RiskBadge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Countdown } from './decision-status.tsx';
import { NotifyButton } from './notices/notices.tsx';

type CardProps = {
  ref: Ref<HTMLElement>;
  /** The id of the heading. */
  id: string;
  /** The approvals it is about, with blanks between. */
  ids: string;
  /** Only while it waits. */
  risk?: Risk;
  keys?: string;
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void;
  children: ReactNode;
};

const edges: Record<Risk, string> = {
  low: 'border-line-strong/50',
  medium: 'border-warn/60',
  high: 'border-high/70',
  critical: 'border-bad',
};

export function Card({ ref, id, ids, risk, keys, onKeyDown, children }: CardProps) {
  return (
    <section
      ref={ref}
      tabIndex={-1}
      data-card={ids}
      data-approval={risk === undefined ? undefined : ids}
      aria-labelledby={id}
      aria-description={keys}
      onKeyDown={onKeyDown}
      className={cx(
        '@container shrink-0 scroll-my-2 overflow-clip rounded-large border bg-raised',
        risk === undefined ? 'border-line' : cx('border-l-4 shadow-raised', edges[risk]),
      )}
    >
      {children}
    </section>
  );
}

type HeadProps = {
  id: string;
  icon: LucideIcon;
  /** Only read aloud. */
  prefix?: string;
  title: string;
  risk: Risk;
  deadline: number | undefined;
  hasNotify: boolean;
  children?: ReactNode;
};

export function CardHead({ id, icon: Icon, prefix, title, risk, deadline, hasNotify, children }: HeadProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5">
      <Icon aria-hidden className="size-4 shrink-0 text-muted @max-md:mt-0.5 @max-md:self-start" />
      <h3 id={id} className="min-w-0 flex-1 basis-[calc(100%-2rem)] font-semibold wrap-anywhere @md:basis-40">
        {prefix !== undefined && <span className="sr-only">{prefix}: </span>}
        {title}
      </h3>
      {/* Routine has no mark, so that a mark says something. */}
      {risk !== 'low' && <RiskBadge risk={risk} />}
      <Countdown deadline={deadline} />
      <span className="flex items-center gap-0.5 @max-md:ml-auto">
        {hasNotify && <NotifyButton />}
        {children}
      </span>
    </header>
  );
}
