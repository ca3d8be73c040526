// What every section of the settings is given.
import type { Settings } from '@codelab/api';

export type SectionProps = { settings: Settings };
