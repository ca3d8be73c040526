// Words on the first screen that belong to views which are loaded later: their names, their actions, and what the composer says of them.
export const zhFirst = {
  approval: {
    name: '待处理',
    next: '转到下一个审批',
    notify: '有事项等待时通知我',
    notifyOff: '不再通知我',
    notifyDenied: '浏览器阻止了本页面的通知。',
    notice: (tool: string) => `${tool} 等待您的决定`,
    noticeDone: '智能体已完成',
    noticeStopped: '智能体已停止',
    noticeMany: (count: number) => `${count} 次调用等待您的决定`,
    typeAnswer: '要拒绝，请输入应改做什么。',
    typeChoice: '输入回答，或说明为什么不。',
    approvesNow: '批准',
    enterApproves: '按 Enter 批准。',
    enterApprovesAll: (count: number) => `按 Enter 全部批准（${count}）。`,
    enterRejects: '按 Enter 以此理由拒绝。',
    enterRejectsAll: (count: number) => `按 Enter 以此理由全部拒绝（${count}）。`,
    enterAnswers: (action: string) => `按 Enter 回答“${action}”。`,
    enterDecidesNothing: '这不是针对此问题输入的：按 Enter 作为消息发送。如要作答，请修改文字。',
  },
  changes: {
    name: '更改',
    one: '更改',
    undoLast: '撤销最近的更改',
    redoLast: '重做',
  },
  sessions: {
    name: '会话',
    untitled: '未命名',
    goesOn: '此会话延续自另一个会话；智能体知道那里说过的内容。',
    original: '打开原会话',
    worktree: {
      name: '工作树',
      choose: '在工作树中开始',
      chooseHint: '会话在单独文件夹中的新分支上工作；此处的文件保持不变。',
      menu: (branch: string) => `分支 ${branch} 的工作树`,
      merge: '合并工作树…',
      drop: '移除工作树…',
      state: { present: '', dropped: '已移除', missing: '缺失' },
      mergedInto: (into: string) => `已合并到 ${into}`,
      ended: (branch: string, into: string | undefined) =>
        into === undefined ? `分支 ${branch} 的工作树已移除。` : `${branch} 已合并到 ${into}。`,
      gone: { dropped: '此会话的工作树已移除。', missing: '此会话的工作树缺失。' },
      goneHint: (path: string, branch: string) =>
        `此处无法再运行任何操作；已有内容仍可阅读。文件夹为 ${path}，分支为 ${branch}。请开始新会话以继续。`,
    },
  },
  settings: {
    name: '设置',
    modes: { strict: '严格', balanced: '每次询问', review: '先执行，后审查', trusted: '信任' },
    modeHints: {
      strict: '每次更改和每条命令都先询问。',
      balanced: '读取无需询问，更改先询问。',
      review: '可撤销的编辑和沙箱中的命令无需询问，由您事后审查。',
      trusted: '已知的构建、测试和包管理程序也无需询问。',
    },
  },
  modePicker: {
    mode: '模式',
    switchMode: '切换模式',
    plan: '仅计划',
    planHint: '只读取和计划，不做任何更改。',
  },
  /** The line that says a review waits. */
  reviewPrompt: {
    open: '审查更改',
    hint: '保留、丢弃或评论这一轮的更改。',
    review: (files: number) => `审查 ${files} 个文件`,
  },
  usage: {
    name: '用量',
    noCost: '价格未知',
    unpricedTurns: (count: number) => `${count} 轮没有价格`,
  },
  tour: {
    start: '开始导览',
    scripted: '演示模型：脚本，没有 AI',
    suggestions: '试试这样问',
    forDemo: ['修好这个商店并运行测试', 'read src/cart.js', 'find quantity in src', 'run npm test'],
    forModel: ['说明这个项目做什么、如何构建', '运行测试并修复失败的部分', '查找 TODO 注释并列出'],
  },
  terminals: {
    name: '终端',
    toggle: '显示或隐藏终端',
    height: '终端高度',
    opened: (who: string) => `${who} 打开了终端`,
    closed: (code: number) => `终端已关闭（代码 ${code}）`,
    stopped: '终端已关闭',
  },
  editor: {
    name: '文件',
    unsaved: '未保存',
  },
  processes: {
    name: '进程',
    terminal: '终端',
  },
  search: {
    name: '搜索',
    field: '在项目中搜索',
  },
  review: {
    name: '审查',
  },
  context: {
    name: '上下文',
  },
  audit: {
    name: '审计',
  },
  todo: {
    name: '待办',
    none: '还没有待办清单',
    noneHint: '对于多步骤的工作，智能体会在这里写下计划并勾选已完成的部分。',
    list: '智能体的待办清单',
    progress: (done: number, all: number) => `已完成 ${done} / ${all}`,
    left: (count: number) => `剩余 ${count}`,
    status: { pending: '待办', in_progress: '进行中', completed: '完成', cancelled: '已取消' },
    priority: { high: '高', medium: '中', low: '低' },
  },
};
