// The audit in the side panel.
import { AuditBody } from './audit-body.tsx';

export function Audit() {
  return <AuditBody />;
}
