// A link by which somebody else decides this one approval, put on the clipboard.
import type { ApprovalRequest } from '@codelab/protocol';
import { Link } from 'lucide-react';
import { api } from '../../api/api.ts';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast, toastError } from '../../ui/toast.tsx';

export function ShareButton({ approval: { session, id } }: { approval: ApprovalRequest }) {
  const words = useText().approval;
  const share = async (): Promise<void> => {
    try {
      const { url } = await api.approvals.link(session, id);
      await navigator.clipboard.writeText(url);
      toast(words.linkCopied);
    } catch (error) {
      toastError(error);
    }
  };
  return <IconButton size="small" icon={Link} label={words.copyLink} onClick={() => void share()} />;
}
