// The props of every section of the settings, and how a section saves a change.
import type { GatewaySettings, SettingsChange } from '@codelab/api';
import { changeSettings } from '../../settings-store.ts';
import { toast, toastError } from '../../ui/toast.tsx';

export type SectionProps = { settings: GatewaySettings };

// Sends a change of the settings, and says how it went.
/** Whether it was taken. */
export async function applyChange(change: SettingsChange, notice: string): Promise<boolean> {
  try {
    await changeSettings(change);
    toast(notice);
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}
