// Words of the small controls.
export const ui = {
  close: 'Закрыть',
  risk: { low: 'Низкий риск', medium: 'Средний риск', high: 'Высокий риск', critical: 'Критично' },
};
