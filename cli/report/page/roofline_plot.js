// The roofline (Williams, Waterman, Patterson, CACM 52:4, 2009) of kernels whose GPU's parameters are among the documents.
function rooflinePlot() {}
function occupancyPlot() {}
