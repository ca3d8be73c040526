// What every section of the settings is given.
import type { Settings } from '../../api/settings.ts';

export type SectionProps = { settings: Settings };
