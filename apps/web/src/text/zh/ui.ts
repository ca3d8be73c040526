// Words of the small controls.
export const ui = {
  close: '关闭',
  risk: { low: '低风险', medium: '中风险', high: '高风险', critical: '极高风险' },
};
