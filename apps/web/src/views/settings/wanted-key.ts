// Leads to the field for a provider's key, in the settings.
import { useEffect } from 'react';
import { create } from 'zustand';
import { showView } from '../../layout/show-view.ts';

const useWanted = create<{ provider: string | undefined }>(() => ({ provider: undefined }));

/** `model` is as the session names it: PROVIDER/NAME. */
export function showKeyField(model: string): void {
  showView('settings');
  useWanted.setState({ provider: model.includes('/') ? model.slice(0, model.indexOf('/')) : '' });
}

/** Puts the cursor into the field that was asked for; the first one where its provider has none. */
export function useWantedKey(): void {
  const wanted = useWanted(({ provider }) => provider);
  useEffect(() => {
    if (wanted === undefined) return;
    const fields = [...document.querySelectorAll<HTMLElement>('[data-key-of]')];
    const field = fields.find(({ dataset }) => dataset.keyOf === wanted) ?? fields[0];
    field?.querySelector('input')?.focus();
    useWanted.setState({ provider: undefined });
  }, [wanted]);
}
