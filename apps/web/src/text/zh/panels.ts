// Words of the panels beside the conversation: todo list, context and processes.
// Words of the todo panel.
export const zhTodo = {
  name: '待办',
  none: '还没有待办清单',
  noneHint: '对于多步骤的工作，智能体会在这里写下计划并勾选已完成的部分。',
  list: '智能体的待办清单',
  progress: (done: number, all: number) => `已完成 ${done} / ${all}`,
  left: (count: number) => `剩余 ${count}`,
  status: { pending: '待办', in_progress: '进行中', completed: '完成', cancelled: '已取消' },
  priority: { high: '高', medium: '中', low: '低' },
};

// Words of the context panel.
export const zhContext = {
  name: '上下文',
  none: '没有固定的文件',
  noneHint: '加入这里的文件每一轮都会展示给模型。',
  files: '模型每轮都能看到的文件',
  add: '添加文件',
  found: '匹配的文件',
  remove: (path: string) => `移除 ${path}`,
  clear: '全部移除',
  used: '上下文窗口',
  usedOf: (used: string, all: string) => `${used} / ${all} token`,
  usedOnly: (used: string) => `${used} token`,
  pinned: (used: string) => `其中文件 ${used}`,
  tokens: (count: string) => `${count} token`,
  missing: '无法读取',
  noSession: '上下文属于会话，会话从第一条消息开始。',
};

// Words of running commands, long-running processes and their terminals.
export const zhProcesses = {
  name: '进程',
  terminal: '终端',
  none: '没有正在运行的内容',
  noneHint: '正在运行的命令和智能体保持运行的服务及其输出显示在这里。',
  commands: '正在运行的命令',
  processes: '长期运行的进程',
  running: '运行中',
  exited: (code: number) => `已退出，代码 ${code}`,
  ended: '已结束',
  stop: '停止',
  stopping: '正在停止…',
  openTab: '在标签页中打开',
  stopOne: (what: string) => `停止 ${what}`,
  restartOne: (what: string) => `重启 ${what}`,
  show: (what: string) => `显示 ${what} 的输出`,
  input: '输入',
  inputHint: '发送给进程的一行',
  send: '发送',
  sendsEnter: '按 Enter 发送。它会像智能体的调用一样被审查并记录。',
  output: (what: string) => `${what} 的输出`,
  dropped: '较早的输出已不可用。',
  startedAt: (when: string) => `启动于${when}`,
  refused: '规则不允许：',
  waits: '正在对话中等待批准。',
  gone: '它已结束，输出已不可用。',
};

// Words of a person's own terminals.
export const zhTerminals = {
  name: '终端',
  new: '新建终端',
  end: '结束终端',
  hide: '隐藏终端',
  toggle: '显示或隐藏终端',
  height: '终端高度',
  none: '没有打开的终端',
  hint: '您自己的 shell，位于工作区中，在沙箱之外。规则对它不起作用，代理既不读取也不输入。',
  screen: (what: string) => `${what}：您的终端。Ctrl+\` 离开。`,
  exited: (code: number) => `Shell 已退出，代码 ${code}。`,
  dropped: '开头部分已不再保留。',
  gone: '该终端已随网关结束。',
  close: '关闭',
  opened: (who: string) => `${who} 打开了终端`,
  closed: (code: number) => `终端已关闭（代码 ${code}）`,
  stopped: '终端已关闭',
};
