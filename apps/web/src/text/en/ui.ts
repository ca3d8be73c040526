// Words of the small controls.
export const ui = {
  close: 'Close',
  risk: { low: 'Low risk', medium: 'Medium risk', high: 'High risk', critical: 'Critical' },
};
