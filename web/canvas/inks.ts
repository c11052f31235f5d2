/** Colours of the battle view in both themes, with a contrast of at least 3:1 to the ground. */
import type { Theme } from '../settings.ts'

export interface Ink {
  readonly ground: string
  readonly line: string
  readonly text: string
  readonly muted: string
  readonly accent: string
  readonly good: string
  readonly warn: string
  readonly bad: string
  readonly focus: string
  readonly damage: Readonly<Record<string, string>>
}

export const INKS: Readonly<Record<Theme, Ink>> = {
  dark: {
    ground: '#0B0E14',
    line: '#2A3240',
    text: '#E6EAF2',
    muted: '#9AA6B8',
    accent: '#7CC4FF',
    good: '#5BD6A0',
    warn: '#F2B84B',
    bad: '#FF7A6E',
    focus: '#FFD166',
    damage: {
      kinetic: '#E6EAF2',
      energy: '#7CC4FF',
      explosive: '#F2B84B',
      thermal: '#FF7A6E',
      em: '#C79BFF',
      void: '#9AA6B8',
    },
  },
  light: {
    ground: '#F6F7F9',
    line: '#D3DAE3',
    text: '#141A24',
    muted: '#4E5A6B',
    accent: '#0B5FAE',
    good: '#0B6E4F',
    warn: '#8A5A00',
    bad: '#B3261E',
    focus: '#7A3E00',
    damage: {
      kinetic: '#141A24',
      energy: '#0B5FAE',
      explosive: '#8A5A00',
      thermal: '#B3261E',
      em: '#6B3FA0',
      void: '#4E5A6B',
    },
  },
}

/** Colours by the number of the side; they repeat after the last, with a different shape. */
export const SIDE_COLORS: Readonly<Record<Theme, readonly string[]>> = {
  dark: ['#7FB6FF', '#FFA65C', '#6FDDB0', '#E79BEB', '#E8D15A', '#FF8F86', '#A9B3FF'],
  light: ['#1558A8', '#A34A08', '#0A6A50', '#8A2F91', '#6F5B00', '#A8241C', '#3D49B8'],
}
