// One line of the doctor's report.

export type DoctorFinding = {
  name: string;
  status: 'ok' | 'missing' | 'broken';
  /** CodeLab does not work at all without it. */
  isRequired: boolean;
  found: string;
  /** Its use, or how to get it. */
  advice: string;
};
