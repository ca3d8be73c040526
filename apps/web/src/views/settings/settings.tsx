// The settings: of the gateway (model, permissions, limits) and of this browser (language, theme, notifications).
import { CircleAlert } from 'lucide-react';
import { type ComponentType, useRef } from 'react';
import { errorMessage } from '../../error-help.ts';
import { loadSettings, useSettings, useSettingsStore } from '../../settings-store.ts';
import type { ViewTexts } from '../../text/en-views.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { AboutSection, KeysSection, LimitsSection } from './info-sections.tsx';
import { ModelSection } from './model/model-section.tsx';
import { PolicySection } from './rules/policy-section.tsx';
import { ScreenSection } from './screen-section.tsx';
import type { SectionProps } from './section.ts';

type SectionId = keyof ViewTexts['settings']['sections'];

const sections: readonly [SectionId, ComponentType<SectionProps>][] = [
  ['model', ModelSection],
  ['policy', PolicySection],
  ['limits', LimitsSection],
  ['screen', ScreenSection],
  ['keys', KeysSection],
  ['about', AboutSection],
];

export function SettingsView() {
  const text = useViewText();
  const settings = useSettings();
  const problem = useSettingsStore((state) => state.problem);
  const page = useRef<HTMLDivElement>(null);
  if (settings === undefined)
    return problem === undefined ? (
      <Spinner label={text.frame.loading} className="m-6" />
    ) : (
      <EmptyState icon={CircleAlert} title={text.settings.failed} hint={errorMessage(problem, text)}>
        <Button onClick={() => void loadSettings()}>{text.frame.tryAgain}</Button>
      </EmptyState>
    );
  const jump = (id: SectionId): void => {
    const found = page.current?.querySelector<HTMLElement>(`[data-section="${id}"]`);
    // `scrollIntoView` would also scroll the page around this box.
    page.current?.scrollTo({ top: (found?.offsetTop ?? 0) - 16 });
    found?.focus({ preventScroll: true });
  };
  return (
    <div ref={page} className="@container relative h-full overflow-y-auto">
      <div className="mx-auto flex max-w-5xl gap-8 p-4 @3xl:p-6">
        <SectionList onJump={jump} />
        <div className="flex min-w-0 flex-1 flex-col gap-10 pb-16">
          {sections.map(([id, Section]) => (
            <section
              key={id}
              data-section={id}
              tabIndex={-1}
              aria-label={text.settings.sections[id]}
              className="flex scroll-mt-4 flex-col gap-4 outline-none"
            >
              <h2 className="border-b border-line pb-1.5 text-title font-semibold">
                {text.settings.sections[id]}
              </h2>
              <Section settings={settings} />
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

function SectionList({ onJump }: { onJump(id: SectionId): void }) {
  const words = useViewText().settings;
  return (
    <nav aria-label={words.name} className="sticky top-4 hidden w-40 shrink-0 self-start @3xl:block">
      <ul className="flex flex-col">
        {sections.map(([id]) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onJump(id)}
              className="w-full rounded-base px-2 py-1.5 text-left text-muted hover:bg-hover hover:text-text"
            >
              {words.sections[id]}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
