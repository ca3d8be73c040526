// Settings of this browser: language, theme, notifications, the tour.
import { useState } from 'react';
import { chooseLanguage, useLanguage } from '../../text/language.ts';
import { languages, type UiLanguage } from '../../text/load-texts.ts';
import { useViewText } from '../../text/use-text.ts';
import { chooseTheme, type Theme, themes, useTheme } from '../../theme.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Select } from '../../ui/text-field.tsx';
import { toastError } from '../../ui/toast.tsx';
import { canNotify, switchNotices, switchSound, useNotices, useSound } from '../approval/notices/notices.tsx';
import { fitsTour, startTour } from '../tour/tour-store.ts';
import type { SectionProps } from './section.ts';

export function ScreenSection({ settings }: SectionProps) {
  const text = useViewText();
  const words = text.settings;
  const language = useLanguage((state) => state.language);
  const { theme } = useTheme();
  const hasTour = fitsTour(settings);
  return (
    <>
      <div className="grid max-w-md grid-cols-2 gap-3">
        <Select
          label={words.language}
          value={language}
          options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          onChange={(value) => void chooseLanguage(value as UiLanguage)}
        />
        <Select
          label={words.theme}
          value={theme}
          options={themes.map((value) => ({ value, label: text.frame.themes[value] }))}
          onChange={(value) => chooseTheme(value as Theme)}
        />
      </div>
      {canNotify() && <Notices />}
      <SoundSwitch />
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!hasTour} onClick={startTour}>
          {words.tourAgain}
        </Button>
        {!hasTour && <p className="text-small text-muted">{words.tourOnlySample}</p>}
      </div>
    </>
  );
}

function SoundSwitch() {
  const words = useViewText().settings;
  const isOn = useSound((state) => state.isOn);
  return <Switch label={words.sound} hint={words.soundHint} isOn={isOn} onChange={switchSound} />;
}

function Notices() {
  const words = useViewText().settings;
  const isOn = useNotices((state) => state.isOn);
  const [isRefused, setIsRefused] = useState(false);
  const change = (wanted: boolean): void =>
    void switchNotices(wanted)
      .then((isGranted) => setIsRefused(!isGranted))
      .catch(toastError);
  return (
    <div>
      <Switch label={words.notifications} hint={words.notificationsHint} isOn={isOn} onChange={change} />
      {isRefused && (
        <p role="status" className="mt-1 text-small text-bad">
          {words.notificationsDenied}
        </p>
      )}
    </div>
  );
}
