/** How storage tells what happened; who logs is the caller's. */
export type StoreLog = (level: 'info' | 'warn' | 'error', fields: object, text: string) => void

/** Told how far a long step is; `step` names what is counted. */
export type Progress = (step: string, done: number, all?: number) => void

export const silent: StoreLog = () => {}
