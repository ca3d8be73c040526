// Opens the review of one approval as a tab of the centre.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { showView } from '../../layout/show-view.ts';

export function openReview({ callId, plan }: ApprovalRequest): void {
  const [touch] = plan.touches;
  const name = plan.touches.length === 1 && touch !== undefined ? touch.path.replace(/^.*\//s, '') : '';
  showView('review', callId, visibleLine(name));
}
