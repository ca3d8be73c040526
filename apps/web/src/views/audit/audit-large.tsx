// The audit in the centre, where its picture has room.
import { AuditBody } from './audit-body.tsx';

export function AuditLarge() {
  return <AuditBody isLarge />;
}
