/** Connects the scene of the map with its canvases, the pointer and the address. */

import { effect, type Signal, signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Board, openBoard } from '../../canvas/board.ts'
import { fit, readAt, writeAt } from '../../canvas/camera.ts'
import { readPalette } from '../../canvas/colour.ts'
import { nearestSystem } from '../../canvas/hit.ts'
import { watchPointer } from '../../canvas/pointer.ts'
import type { Scene } from '../../canvas/scene.ts'
import { isDead, isLive, momentNow } from '../../clock.ts'
import { systemHref } from '../../hrefs.ts'
import { changeQuery, go, hrefNow, query } from '../../router.ts'
import { isCalm, theme } from '../../settings.ts'

const ADDRESS_MS = 250

/** The id of the chosen system; it is kept when the reader leaves the map and returns. */
export const chosen = signal<string | undefined>(undefined)

export interface MapBoard {
  readonly host: RefObject<HTMLDivElement | null>
  readonly board: RefObject<Board | null>
  /** To be called after the camera was moved other than by the pointer. */
  moved(): void
}

export function useBoard(scene: Scene, hovered: Signal<number>): MapBoard {
  const host = useRef<HTMLDivElement>(null)
  const board = useRef<Board>(null)
  const moved = useRef(() => {})
  useEffect(() => {
    const element = host.current as HTMLDivElement
    let writing: ReturnType<typeof setTimeout> | undefined
    let isPlaced = false
    const opened = openBoard(element, {
      scene,
      // A frame of the past does not move: the ticks after it are unknown.
      momentNow: () => (isLive.peek() ? momentNow() : scene.tick),
      sized: () => {
        if (isPlaced || scene.chart.systems.length === 0) return
        isPlaced = true
        if (!readAt(scene.camera, query.peek().at)) fit(scene.camera)
      },
    })
    board.current = opened
    moved.current = () => {
      opened.moved()
      // Another part of the map is now under the pointer.
      hovered.value = -1
      clearTimeout(writing)
      writing = setTimeout(() => changeQuery({ at: writeAt(scene.camera) }), ADDRESS_MS)
    }
    const stop = watchPointer(element, {
      camera: scene.camera,
      moved: () => moved.current(),
      tapped: (x, y, isTouch) => {
        chosen.value = scene.chart.systems[nearestSystem(scene, x, y, isTouch)]?.id
      },
      opened: (x, y) => {
        const system = scene.chart.systems[nearestSystem(scene, x, y, false)]
        if (system) go(hrefNow(systemHref(system.id)))
        return system !== undefined
      },
      hovered: (at) => {
        hovered.value = at ? nearestSystem(scene, at[0], at[1], false) : -1
        element.style.cursor = hovered.value < 0 ? '' : 'pointer'
      },
    })
    return () => {
      clearTimeout(writing)
      stop()
      opened.close()
    }
  }, [scene, hovered])
  useEffect(() => watchLooks(scene, hovered, board), [scene, hovered])
  return { host, board, moved: () => moved.current() }
}

/** Redraws the map when the theme, the selection or another display state changes. */
function watchLooks(
  scene: Scene,
  hovered: Signal<number>,
  board: RefObject<Board | null>,
): () => void {
  const stops = [
    effect(() => {
      theme.value
      // The style sheet has the new colours by the next frame.
      requestAnimationFrame(() => {
        scene.palette = readPalette()
        board.current?.redraw('all')
      })
    }),
    effect(() => {
      scene.hovered = hovered.value
      scene.selected = scene.chart.at.get(chosen.value ?? '') ?? -1
      board.current?.redraw('marks')
    }),
    effect(() => {
      scene.isCalm = isCalm.value
      scene.isDead = isDead.value
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
