// Whether agents follow the instructions of the folder (AGENTS.md, CLAUDE.md): asked once, and changed later in the settings.
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { changeSettings, useSettings } from '../../settings-store.ts';
import { useLanguage } from '../../text/language.ts';
import type { UiLanguage } from '../../text/load-texts.ts';
import { Button } from '../../ui/button.tsx';
import { toastError } from '../../ui/toast.tsx';
import { openFile } from '../files/open-file.ts';

const en = {
  title: 'This folder has instructions for agents',
  hint: 'They come from whoever wrote the repository. Until you decide, agents are not told them. Every call is judged by the same rules either way.',
  follow: 'Follow them',
  decline: 'Don’t follow them',
  following: 'Agents follow them.',
  declined: 'Agents don’t follow them.',
};

const ru: typeof en = {
  title: 'В этой папке есть инструкции для агентов',
  hint: 'Их написал автор репозитория. Пока вы не решите, агентам их не сообщают. Правила для вызовов в любом случае одни и те же.',
  follow: 'Следовать им',
  decline: 'Не следовать',
  following: 'Агенты следуют им.',
  declined: 'Агенты не следуют им.',
};

const zh: typeof en = {
  title: '此文件夹包含给智能体的说明',
  hint: '它们来自编写此仓库的人。在您决定之前，不会告知智能体。无论如何，每次调用都按相同的规则判断。',
  follow: '遵循',
  decline: '不遵循',
  following: '智能体会遵循它们。',
  declined: '智能体不会遵循它们。',
};

const words: Record<UiLanguage, typeof en> = { en, ru, zh };

/** `isAsking` is the question of the first start: gone once it is answered. */
export function InstructionTrustChoice({ isAsking = false }: { isAsking?: boolean }) {
  const { title, hint, following, declined } = useTrustWords();
  const instructions = useSettings()?.instructions;
  if (instructions === undefined) return null;
  const { trust, files, held } = instructions;
  if (isAsking && trust !== 'undecided') return null;
  return (
    <section
      aria-labelledby="instruction-trust"
      className="mt-4 flex w-full max-w-112 flex-col gap-2 rounded-large border border-line bg-raised p-4 text-left"
    >
      <h3 id="instruction-trust" className="font-semibold">
        {title}
      </h3>
      <p className="text-small text-muted">
        {trust === 'undecided' ? hint : trust === 'trusted' ? following : declined}
      </p>
      <div className="flex flex-wrap gap-2">
        {[...files, ...held].map((path) => (
          <Button
            key={path}
            size="small"
            tone="quiet"
            icon={<FileText aria-hidden className="size-3.5" />}
            onClick={() => openFile(path)}
          >
            {path}
          </Button>
        ))}
      </div>
      <TrustButtons trust={trust} />
    </section>
  );
}

function useTrustWords(): typeof en {
  return words[useLanguage(({ language }) => language)];
}

function TrustButtons({ trust }: { trust: 'trusted' | 'declined' | 'undecided' }) {
  const { follow, decline } = useTrustWords();
  const [isBusy, setIsBusy] = useState(false);
  const decide = (instruction_trust: 'trusted' | 'declined'): void => {
    setIsBusy(true);
    changeSettings({ instruction_trust })
      .catch(toastError)
      .finally(() => setIsBusy(false));
  };
  return (
    <div className="flex flex-wrap gap-2">
      {trust !== 'trusted' && (
        <Button size="small" tone="strong" disabled={isBusy} onClick={() => decide('trusted')}>
          {follow}
        </Button>
      )}
      {trust !== 'declined' && (
        <Button size="small" disabled={isBusy} onClick={() => decide('declined')}>
          {decline}
        </Button>
      )}
    </div>
  );
}
