// Where menus, popovers and tooltips are put: inside the open dialog, for whatever is outside of it lies below and is inert.
import { createContext } from 'react';

export const PortalHost = createContext<HTMLElement | undefined>(undefined);
