// Words of the context panel.
export const context = {
  name: '上下文',
  none: '上下文中没有文件',
  noneHint: '加入这里的文件每一轮都会展示给模型。',
  files: '模型每轮都能看到的文件',
  add: '添加文件',
  found: '匹配的文件',
  remove: (path: string) => `移出 ${path}`,
  clear: '全部移出',
  used: '模型上下文的空间',
  usedOf: (used: string, all: string) => `${used} / ${all} 个 token`,
  usedOnly: (used: string) => `${used} 个 token`,
  pinned: (used: string) => `其中文件 ${used}`,
  tokens: (count: string) => `${count} 个 token`,
  missing: '目前无法读取',
  noSession: '上下文属于会话，会话从第一条消息开始。',
};
