// One line of the doctor's report.

export type DoctorFinding = {
  name: string;
  status: 'ok' | 'missing' | 'broken';
  /** Without it CodeLab does not work at all. */
  isRequired: boolean;
  found: string;
  /** What it is for, or how to get it. */
  advice: string;
};
