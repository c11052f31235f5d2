/** How storage tells what happened; who logs is the caller's. */
export type StoreLog = (level: 'info' | 'warn' | 'error', fields: object, text: string) => void

export const silent: StoreLog = () => {}
