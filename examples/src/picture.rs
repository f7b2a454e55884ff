//! The picture of a training run: the loss on the left, some images with what was read in them on the right.

use crate::data::{DARKEST, PIXELS};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// An image and what the network takes it for.
pub struct Reading {
    /// Pixels in 0..=16.
    pub pixels: [u8; PIXELS],
    /// The digit it is.
    pub label: u8,
    /// The digit the network sees.
    pub predicted: u8,
}

/// What is drawn.
pub struct Run<'a> {
    /// Loss of every step.
    pub losses: &'a [f32],
    /// Steps per pass over the training data.
    pub steps_per_epoch: usize,
    /// Part of the test images that are read right, in percent.
    pub accuracy: f64,
    /// Up to 24 of them.
    pub readings: &'a [Reading],
}

const SIZE: (u32, u32) = (1100, 460);
const CURVE_WIDTH: u32 = 640;
const INK: RGBColor = RGBColor(38, 50, 56);
const FAINT: RGBColor = RGBColor(207, 216, 220);
const BLUE: RGBColor = RGBColor(21, 101, 192);
const RED: RGBColor = RGBColor(198, 40, 40);
/// The smooth curve is the geometric mean over this many steps to both sides.
const AROUND: usize = 8;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Writes the picture as SVG.
pub fn draw(path: &Path, run: &Run) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(CURVE_WIDTH);
    curve(&left, run)?;
    images(&right, run)?;
    root.present()?;
    Ok(())
}

fn font(size: u32, color: &RGBColor) -> TextStyle<'_> {
    ("sans-serif", size).into_font().color(color)
}

fn curve(area: &Area, run: &Run) -> Result<(), Box<dyn Error>> {
    let epoch = |step: usize| (step + 1) as f64 / run.steps_per_epoch as f64;
    let raw: Vec<(f64, f64)> =
        run.losses.iter().enumerate().map(|(k, &l)| (epoch(k), (l as f64).max(1e-6))).collect();
    let mean = |near: &[(f64, f64)]| (near.iter().map(|p| p.1.ln()).sum::<f64>() / near.len() as f64).exp();
    let smooth: Vec<(f64, f64)> = (0..raw.len())
        .map(|k| (raw[k].0, mean(&raw[k.saturating_sub(AROUND)..(k + AROUND + 1).min(raw.len())])))
        .collect();
    let least = raw.iter().map(|p| p.1).fold(f64::INFINITY, f64::min).max(1e-4);
    let most = raw.iter().map(|p| p.1).fold(least, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption("Cross-entropy of every training step", font(18, &INK))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..epoch(run.losses.len().max(1) - 1), (least * 0.8..most * 1.3).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(FAINT)
        .label_style(font(13, &INK))
        .x_desc("epoch")
        .x_labels(8)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_labels(6)
        .y_label_formatter(&|y| format!("{y}"))
        .draw()?;
    chart.draw_series(LineSeries::new(raw, BLUE.mix(0.25).stroke_width(1)))?;
    chart.draw_series(LineSeries::new(smooth, BLUE.stroke_width(3)))?;
    Ok(())
}

fn images(area: &Area, run: &Run) -> Result<(), Box<dyn Error>> {
    const COLUMNS: usize = 6;
    const PIXEL: i32 = 7;
    const STEP: (i32, i32) = (72, 94);
    let title = format!("{:.1} % of the test images read right", run.accuracy);
    area.draw(&Text::new(title, (8, 19), font(18, &INK)))?;
    for (k, reading) in run.readings.iter().take(4 * COLUMNS).enumerate() {
        let (x, y) = (8 + (k % COLUMNS) as i32 * STEP.0, 56 + (k / COLUMNS) as i32 * STEP.1);
        let right = reading.label == reading.predicted;
        for (p, &value) in reading.pixels.iter().enumerate() {
            let (px, py) = (x + (p % 8) as i32 * PIXEL, y + (p / 8) as i32 * PIXEL);
            let shade = value as f64 / DARKEST as f64;
            let tone = |c: u8, paper: f64| (paper + (c as f64 - paper) * shade) as u8;
            let color = if right { INK } else { RED };
            let color = RGBColor(tone(color.0, 240.0), tone(color.1, 243.0), tone(color.2, 245.0));
            area.draw(&Rectangle::new([(px, py), (px + PIXEL, py + PIXEL)], color.filled()))?;
        }
        let text = if right {
            format!("{}", reading.predicted)
        } else {
            format!("{} read as {}", reading.label, reading.predicted)
        };
        area.draw(&Text::new(
            text,
            (x, y + 8 * PIXEL + 6),
            if right { font(14, &INK) } else { font(11, &RED) },
        ))?;
    }
    Ok(())
}
