/** Reports events of storage; the caller logs them. */
export type StoreLog = (level: 'info' | 'warn' | 'error', fields: object, text: string) => void

/** Receives the progress of a long step; `step` names what is counted. */
export type Progress = (step: string, done: number, all?: number) => void

export const noLog: StoreLog = () => {}
