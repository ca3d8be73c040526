// Words of the todo panel.
export const todo = {
  name: '待办',
  none: '还没有待办清单',
  noneHint: '对于多步骤的工作，代理会在这里写下计划并勾选已完成的部分。',
  list: '代理的待办清单',
  progress: (done: number, all: number) => `已完成 ${done} / ${all}`,
  left: (count: number) => `剩余 ${count}`,
  status: { pending: '待办', in_progress: '进行中', completed: '完成', cancelled: '放弃' },
  priority: { high: '高', medium: '中', low: '低' },
};
